"""PyTorch Lightning with the library of the Kubernetes scheduler."""

import digits
import pytorch_lightning as lightning
import torch
from kubernetesdlprofile import kubeprofiler


class Digits(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.api = kubeprofiler.KubeProfiler()
        self.layers = torch.nn.Linear(digits.POINTS, 10)

    def training_step(self, batch, index):
        images, labels = batch
        loss = torch.nn.functional.cross_entropy(self.layers(images), labels)
        self.api.measure()  # leaves here, in the first step of an epoch, if it is asked to
        return loss

    def on_train_epoch_start(self):
        self.api.start_epoch()

    def on_train_epoch_end(self):
        print(f"epoch {self.current_epoch + 1}", flush=True)
        self.api.end_epoch()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def main():
    module = Digits()
    api = module.api
    data = torch.utils.data.TensorDataset(*map(torch.from_numpy, digits.load(api.TRAINING_SET_SIZE)))
    batches = torch.utils.data.DataLoader(data, batch_size=api.BATCH_SIZE, shuffle=True)
    trainer = lightning.Trainer(
        max_epochs=api.EPOCHS,
        devices=api.NUM_GPUS,
        num_nodes=api.NUM_NODES,
        default_root_dir=api.root_dir,  # Lightning's own checkpoints are below it
        enable_progress_bar=False,
    )
    trainer.fit(module, batches, ckpt_path=api.ckpt_path if api.RESTARTED else None)


if __name__ == "__main__":
    main()
