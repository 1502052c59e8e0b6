"""Keras with remuda.training: a callback, and its first epoch for fit."""

import digits
import keras

from remuda import training

EPOCHS = 5
BATCH_SIZE = 64


def main():
    images, labels = digits.load(2048)
    model = keras.Sequential(
        [keras.Input((digits.POINTS,)), keras.layers.Dense(64, "relu"), keras.layers.Dense(10)]
    )
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer="adam", loss=loss)
    follow = training.keras_callback()
    said = keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: print(f"epoch {epoch + 1}", flush=True)
    )
    model.fit(
        images,
        labels,
        batch_size=BATCH_SIZE,
        epochs=EPOCHS,
        initial_epoch=follow.initial_epoch,
        callbacks=[said, follow],
        verbose=0,
    )


if __name__ == "__main__":
    main()
