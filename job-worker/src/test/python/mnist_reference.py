"""PyTorch's MNIST example on the CPU, to compare MnistTraining with: numbers and seconds.

The network, the optimiser, the loaders and their order are those of pytorch/examples mnist/main.py
as the Dragon ensemble uses it. The images are read from the IDX files, without torchvision.

    OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=1 \
        python3 mnist_reference.py --data FOLDER --lr 0.5 --epochs 1 --threads 2
"""

import argparse
import gzip
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, Dataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, 1)
        self.conv2 = nn.Conv2d(32, 64, 3, 1)
        self.dropout1 = nn.Dropout(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(9216, 128)
        self.fc2 = nn.Linear(128, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = F.max_pool2d(x, 2)
        x = self.dropout1(x)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = self.dropout2(x)
        return F.log_softmax(self.fc2(x), dim=1)


class Images(Dataset):
    """What torchvision's MNIST with ToTensor and Normalize gives, image by image."""

    def __init__(self, folder, name, most):
        self.images = torch.from_numpy(
            read_idx(folder, f"{name}-images-idx3-ubyte", 16).reshape(-1, 1, 28, 28)[:most].copy()
        )
        self.labels = read_idx(folder, f"{name}-labels-idx1-ubyte", 8)[:most].astype(int).tolist()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image = self.images[index].to(torch.float32).div(255)
        return image.sub_(0.1307).div_(0.3081), self.labels[index]


class WholeImages(Images):
    """The same, normalised beforehand: what is left is the network's own time."""

    def __init__(self, folder, name, most):
        super().__init__(folder, name, most)
        self.ready = self.images.to(torch.float32).div(255).sub_(0.1307).div_(0.3081)
        self.targets = torch.tensor(self.labels)

    def batches(self, size):
        # the DataLoader draws one number at the start of a pass
        torch.empty((), dtype=torch.int64).random_()
        return zip(self.ready.split(size), self.targets.split(size))


def read_idx(folder, name, header):
    plain = Path(folder) / name
    data = plain.read_bytes() if plain.exists() else gzip.open(f"{plain}.gz").read()
    return np.frombuffer(data, dtype=np.uint8, offset=header)


def train(net, batches, optimizer, count):
    net.train()
    total = 0.0
    first = None
    for data, target in batches:
        optimizer.zero_grad()
        loss = F.nll_loss(net(data), target)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(data)
        first = loss.item() if first is None else first
    return first, total / count


def test(net, batches, count):
    net.eval()
    loss = 0.0
    correct = 0
    with torch.no_grad():
        for data, target in batches:
            output = net(data)
            loss += F.nll_loss(output, target, reduction="sum").item()
            correct += output.argmax(dim=1, keepdim=True).eq(target.view(-1, 1)).sum().item()
    return loss / count, 100.0 * correct / count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder of the four MNIST files")
    parser.add_argument("--lr", type=float, default=0.5)
    parser.add_argument("--gamma", type=float, default=0.7)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--test-batch-size", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--most", type=int, default=60000, help="only so many images")
    parser.add_argument("--whole", action="store_true", help="leave out the DataLoader's time")
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    kind = WholeImages if args.whole else Images
    train_images = kind(args.data, "train", args.most)
    test_images = kind(args.data, "t10k", args.most)

    def batches(images, size):
        return images.batches(size) if args.whole else DataLoader(images, batch_size=size)

    net = Net()
    optimizer = optim.Adadelta(net.parameters(), lr=args.lr)
    schedule = StepLR(optimizer, step_size=1, gamma=args.gamma)
    print(f"torch {torch.__version__}, {args.threads} threads, learning rate {args.lr}")
    for epoch in range(1, args.epochs + 1):
        began = time.perf_counter()
        first, mean = train(net, batches(train_images, args.batch_size), optimizer, len(train_images))
        trained = time.perf_counter() - began
        loss, accuracy = test(net, batches(test_images, args.test_batch_size), len(test_images))
        schedule.step()
        seconds = time.perf_counter() - began
        print(
            f"epoch {epoch}: first loss {first:.6f} train loss {mean:.6f} test loss {loss:.6f}"
            f" accuracy {accuracy:.2f} % in {seconds:.1f} s (training {trained:.1f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
