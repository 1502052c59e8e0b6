"""PyTorch Lightning with remuda.training: a callback, and its checkpoint for fit."""

import digits
import pytorch_lightning as lightning
import torch

from remuda import training

EPOCHS = 5
BATCH_SIZE = 64


class Digits(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Linear(digits.POINTS, 10)

    def training_step(self, batch, index):
        images, labels = batch
        return torch.nn.functional.cross_entropy(self.layers(images), labels)

    def on_train_epoch_end(self):
        print(f"epoch {self.current_epoch + 1}", flush=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def main():
    data = torch.utils.data.TensorDataset(*map(torch.from_numpy, digits.load(2048)))
    batches = torch.utils.data.DataLoader(data, batch_size=BATCH_SIZE, shuffle=True)
    follow = training.lightning_callback()
    trainer = lightning.Trainer(
        max_epochs=EPOCHS,
        callbacks=[follow],
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
    )
    trainer.fit(Digits(), batches, ckpt_path=follow.ckpt_path)


if __name__ == "__main__":
    main()
