"""PyTorch's time for what io.remuda.bench.MnistPass does, by the reference of the job-worker."""

import json
import sys
import time

import torch
from torch import optim
from torch.utils.data import DataLoader

BATCH = 64
TEST_BATCH = 1000


def main():
    reference_folder, data, how, threads, images, warm_up = sys.argv[1:]
    sys.path.insert(0, reference_folder)
    import mnist_reference as reference

    torch.set_num_threads(int(threads))
    kind = {"whole": reference.WholeImages, "loader": reference.Images}[how]

    def batches(part, size):
        return part.batches(size) if how == "whole" else DataLoader(part, batch_size=size)

    def run(most, most_tests):
        torch.manual_seed(1)
        train = kind(data, "train", most)
        test = kind(data, "t10k", most_tests)
        net = reference.Net()
        optimizer = optim.Adadelta(net.parameters(), lr=0.5)
        began = time.perf_counter()
        _, loss = reference.train(net, batches(train, BATCH), optimizer, len(train))
        _, accuracy = reference.test(net, batches(test, TEST_BATCH), len(test))
        return time.perf_counter() - began, loss, accuracy

    run(int(warm_up), TEST_BATCH)
    seconds, loss, accuracy = run(int(images), 10_000)
    print(
        json.dumps(
            {
                "version": torch.__version__,
                "seconds": seconds,
                "loss": loss,
                "accuracy": accuracy,
            }
        )
    )


if __name__ == "__main__":
    main()
