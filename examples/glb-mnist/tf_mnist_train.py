"""A small model on MNIST with TensorFlow."""

import glb
import mnist


@glb.gpu_load_balance()
def train_job(epochs: int, batch_size: int) -> "tf.keras.Model":  # noqa: F821
    import tensorflow as tf

    # Remuda sets TF_FORCE_GPU_ALLOW_GROWTH, too; GLB's way does no harm
    for gpu_instance in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu_instance, True)

    images, labels = mnist.load()
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(128, activation="relu"),
            tf.keras.layers.Dropout(0.2),
            tf.keras.layers.Dense(10),
        ]
    )
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    history = model.fit(images, labels, epochs=epochs, batch_size=batch_size, verbose=0)
    for epoch, accuracy in enumerate(history.history["accuracy"]):
        print(f"epoch {epoch + 1}: accuracy {100 * accuracy:.2f} %", flush=True)
    return model


if __name__ == "__main__":
    mnist.main("tensorflow", train_job)
