"""PyTorch with the library of the Kubernetes scheduler."""

import os

import digits
import torch
from kubernetesdlprofile import kubeprofiler


def main():
    api = kubeprofiler.KubeProfiler()
    snapshot = os.path.join(api.root_dir, "digits.pth")
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    data = torch.utils.data.TensorDataset(*map(torch.from_numpy, digits.load(api.TRAINING_SET_SIZE)))
    batches = torch.utils.data.DataLoader(data, batch_size=api.BATCH_SIZE, shuffle=True)
    model = torch.nn.Linear(digits.POINTS, 10)
    if api.RESTARTED and os.path.exists(snapshot):
        model.load_state_dict(torch.load(snapshot, map_location="cpu"))
    parallel = torch.nn.DataParallel(model).to(device)  # on all the GPUs that it was given
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    loss_of = torch.nn.CrossEntropyLoss()
    for epoch in range(api.EPOCHS_DONE, api.EPOCHS):
        api.start_epoch()
        for images, labels in batches:
            optimizer.zero_grad()
            loss_of(parallel(images.to(device)), labels.to(device)).backward()
            optimizer.step()
            api.measure()  # leaves here, in the first step of an epoch, if it is asked to
        print(f"epoch {epoch + 1}", flush=True)
        torch.save(model.state_dict(), snapshot + ".new")
        os.replace(snapshot + ".new", snapshot)
        api.end_epoch()  # only now: what counts as done is saved


if __name__ == "__main__":
    main()
