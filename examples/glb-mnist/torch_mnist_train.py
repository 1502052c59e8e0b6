"""A small model on MNIST with PyTorch."""

import glb
import mnist


@glb.gpu_load_balance()
def train_job(epochs: int, batch_size: int) -> "torch.nn.Module":  # noqa: F821
    import torch

    device = device_for(torch)
    images, labels = (torch.from_numpy(part) for part in mnist.load())
    model = torch.nn.Sequential(
        torch.nn.Flatten(),
        torch.nn.Linear(784, 128),
        torch.nn.ReLU(),
        torch.nn.Dropout(0.2),
        torch.nn.Linear(128, 10),
    ).to(device)
    loss_of = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        right = 0
        for batch in torch.randperm(len(images)).split(batch_size):
            image, label = images[batch].to(device), labels[batch].to(device)
            optimizer.zero_grad()
            scores = model(image)
            loss_of(scores, label).backward()
            optimizer.step()
            right += (scores.argmax(1) == label).sum().item()
        print(f"epoch {epoch + 1}: accuracy {100 * right / len(images):.2f} %", flush=True)
    return model


def device_for(torch):
    """Returns the device: the lent GPU is CUDA's first; without a GPU the CPU replaces it, and a
    line says so."""
    if torch.cuda.is_available():
        return torch.device("cuda:0")
    mnist.say("no CUDA: what is meant for cuda:0 runs on the CPU")
    return torch.device("cpu")


if __name__ == "__main__":
    mnist.main("torch", train_job)
