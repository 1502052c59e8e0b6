"""A stand-in for Keras: as much as the examples use. Its weights count the steps."""

import types


class Callback:
    def on_train_begin(self, logs=None):
        pass

    def on_epoch_begin(self, epoch, logs=None):
        pass

    def on_train_batch_end(self, batch, logs=None):
        pass

    def on_epoch_end(self, epoch, logs=None):
        pass


class LambdaCallback(Callback):
    def __init__(self, on_epoch_end):
        self.on_epoch_end = on_epoch_end


class ModelCheckpoint(Callback):
    def __init__(self, filepath, save_weights_only):
        self._path = filepath

    def on_epoch_end(self, epoch, logs=None):
        self.model.save_weights(self._path)


class Sequential:
    trainable_variables = ()

    def __init__(self, layers):
        self._steps = 0

    def compile(self, optimizer, loss):
        self.optimizer = types.SimpleNamespace(build=lambda variables: None)

    def save_weights(self, path):
        with open(path, "w") as file:
            file.write(str(self._steps))

    def load_weights(self, path):
        with open(path) as file:
            self._steps = int(file.read())

    def fit(self, x, y, batch_size, epochs, initial_epoch, callbacks, verbose):
        for callback in callbacks:
            callback.model, callback.params = self, {"epochs": epochs}
            callback.on_train_begin()
        for epoch in range(initial_epoch, epochs):
            for callback in callbacks:
                callback.on_epoch_begin(epoch, {})
            for batch in range(len(x) // batch_size):
                self._steps += 1
                for callback in callbacks:
                    callback.on_train_batch_end(batch)
            for callback in callbacks:
                callback.on_epoch_end(epoch, {})
        assert self._steps == epochs * (len(x) // batch_size), self._steps


def _nothing(*_, **__):
    return None


Input = _nothing
callbacks = types.SimpleNamespace(
    Callback=Callback, LambdaCallback=LambdaCallback, ModelCheckpoint=ModelCheckpoint
)
layers = types.SimpleNamespace(Dense=_nothing)
losses = types.SimpleNamespace(SparseCategoricalCrossentropy=_nothing)
