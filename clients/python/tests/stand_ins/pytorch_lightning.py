"""A stand-in for PyTorch Lightning: as much as the examples use, and slow and simple."""

import os

import torch


class Callback:
    pass


class LightningModule(torch.nn.Module):
    def on_train_epoch_start(self):
        pass

    def on_train_epoch_end(self):
        pass


class Trainer:
    is_global_zero = True

    def __init__(self, max_epochs, callbacks=(), default_root_dir=None, **_):
        self.max_epochs = max_epochs
        self.current_epoch = 0
        self._callbacks = callbacks
        self._root = default_root_dir

    def fit(self, module, batches, ckpt_path=None):
        self._module = module
        self._optimizer = module.configure_optimizers()
        if ckpt_path is not None:
            saved = torch.load(ckpt_path)
            self.current_epoch = saved["epoch"] + 1
            module.load_state_dict(saved["state"])
        folder = self._new_version()
        while self.current_epoch < self.max_epochs:
            module.current_epoch = self.current_epoch
            self._call("on_train_epoch_start")
            module.on_train_epoch_start()
            for index, batch in enumerate(batches):
                self._optimizer.zero_grad()
                module.training_step(batch, index).backward()
                self._optimizer.step()
                self._call("on_train_batch_end", None, batch, index)
            if folder is not None:
                self.save_checkpoint(f"{folder}/epoch={self.current_epoch}.ckpt")
            self._call("on_train_epoch_end")
            module.on_train_epoch_end()
            self.current_epoch += 1

    def save_checkpoint(self, path):
        torch.save({"epoch": self.current_epoch, "state": self._module.state_dict()}, path)

    def _call(self, name, *rest):
        for callback in self._callbacks:
            getattr(callback, name)(self, self._module, *rest)

    def _new_version(self):
        if self._root is None:
            return None
        logs = os.path.join(self._root, "lightning_logs")
        number = len(os.listdir(logs)) if os.path.isdir(logs) else 0
        folder = os.path.join(logs, f"version_{number}", "checkpoints")
        os.makedirs(folder)
        return folder
