"""Keras with the library of the Kubernetes scheduler."""

import os

import digits
import keras
from kubernetesdlprofile import kubeprofiler


class Follow(keras.callbacks.Callback):
    """Tells the scheduler of steps and epochs."""

    def __init__(self, api):
        super().__init__()
        self.api = api

    def on_epoch_begin(self, epoch, logs=None):
        self.api.start_epoch()

    def on_train_batch_end(self, batch, logs=None):
        self.api.measure()  # leaves here, in the first step of an epoch, if it is asked to

    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch {epoch + 1}", flush=True)
        self.api.end_epoch()


def main():
    api = kubeprofiler.KubeProfiler()
    images, labels = digits.load(api.TRAINING_SET_SIZE)
    model = keras.Sequential([keras.Input((digits.POINTS,)), keras.layers.Dense(10)])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer="adam", loss=loss)
    snapshot = os.path.join(api.root_dir, "digits.weights.h5")
    if api.RESTARTED:
        model.load_weights(snapshot)
    saved = keras.callbacks.ModelCheckpoint(filepath=snapshot, save_weights_only=True)
    model.fit(
        images,
        labels,
        batch_size=api.BATCH_SIZE,
        epochs=api.EPOCHS,
        initial_epoch=api.EPOCHS_DONE if api.RESTARTED else 0,
        callbacks=[saved, Follow(api)],  # in this order: what counts as done is saved
        verbose=0,
    )


if __name__ == "__main__":
    main()
