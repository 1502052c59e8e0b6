package io.remuda.coordinator.history;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of frames of one tier. It is appended to; what a crash has left half written at its end is
 * ignored, and overwritten by the next frame. Series have numbers of this file's own: a record of
 * new names stands before the first frame that has them.
 *
 * <p>A record is a byte for what it is, the length and the CRC-32C of its content, each four bytes,
 * and the content. Appending is for one thread; reading for any.
 */
final class SegmentFile implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(SegmentFile.class);
  private static final byte NAMES = 1;
  private static final byte FRAME = 2;
  private static final int HEAD = 9;
  private static final int START_BYTES = 8;
  private static final byte[] MAGIC = "remuda history 1\n".getBytes(StandardCharsets.US_ASCII);

  /** A record's content. */
  private record Place(byte what, long start, long offset, int length) {}

  private final Path path;
  private final HistoryTier tier;
  private final Map<SeriesKey, Integer> numbers = new HashMap<>(); // for appending only
  private int given; // numbers so far, those of a later build, too
  private volatile List<Place> places = List.of();
  private FileChannel channel; // for appending, or null
  private long end;

  private SegmentFile(Path path, HistoryTier tier) {
    this.path = path;
    this.tier = tier;
  }

  /**
   * Finds what is in a file; a file that is missing, or is none of these, is empty.
   *
   * @throws IOException if it cannot be read
   */
  static SegmentFile of(Path path, HistoryTier tier) throws IOException {
    SegmentFile file = new SegmentFile(path, tier);
    if (Files.exists(path)) {
      file.scan();
    }
    return file;
  }

  private void scan() throws IOException {
    try (FileChannel from = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer magic = ByteBuffer.allocate(MAGIC.length);
      readFully(from, magic, 0);
      if (!Arrays.equals(magic.array(), MAGIC)) {
        return;
      }
      List<Place> found = new ArrayList<>();
      long at = MAGIC.length;
      ByteBuffer head = ByteBuffer.allocate(HEAD + START_BYTES);
      while (readFully(from, head.clear(), at) >= HEAD) {
        byte what = head.get(0);
        int length = head.getInt(1);
        if (what != NAMES && what != FRAME || length < 0 || at + HEAD + length > from.size()) {
          break;
        }
        found.add(new Place(what, what == FRAME ? head.getLong(HEAD) : 0, at + HEAD, length));
        at += HEAD + length;
      }
      if (!found.isEmpty() && isTorn(from, found.get(found.size() - 1))) {
        Place last = found.remove(found.size() - 1);
        at = last.offset() - HEAD;
      }
      end = at;
      places = List.copyOf(found);
    }
  }

  private static boolean isTorn(FileChannel from, Place last) throws IOException {
    return content(from, last) == null;
  }

  /** Returns the content of a record; null if its sum is another one. */
  private static byte[] content(FileChannel from, Place place) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD + place.length());
    if (readFully(from, bytes, place.offset() - HEAD) < HEAD + place.length()) {
      return null;
    }
    byte[] content = Arrays.copyOfRange(bytes.array(), HEAD, HEAD + place.length());
    return bytes.getInt(5) == sum(content, content.length) ? content : null;
  }

  private static int sum(byte[] content, int length) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, length);
    return (int) crc.getValue();
  }

  private static int readFully(FileChannel from, ByteBuffer into, long at) throws IOException {
    while (into.hasRemaining()) {
      if (from.read(into, at + into.position()) < 0) {
        break;
      }
    }
    return into.position();
  }

  Path path() {
    return path;
  }

  /** Returns the bytes that count. */
  long size() {
    return end;
  }

  /** Returns the time of the first frame in seconds since 1970, or the largest long. */
  long first() {
    return places.stream()
        .filter(place -> place.what() == FRAME)
        .mapToLong(Place::start)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Returns the time of the last frame in seconds since 1970, or -1. */
  long last() {
    return places.stream()
        .filter(place -> place.what() == FRAME)
        .mapToLong(Place::start)
        .max()
        .orElse(-1);
  }

  /**
   * Appends a frame.
   *
   * @param start in seconds since 1970
   * @param series the buffers, with what they hold in this tier's open frame
   * @throws IOException if it could not be written; the file is as before
   */
  void append(long start, Map<SeriesKey, SeriesBuffer> series) throws IOException {
    PointCodec names = new PointCodec();
    PointCodec frame = new PointCodec();
    PointCodec one = new PointCodec();
    Map<SeriesKey, Integer> fresh = new HashMap<>();
    loadNumbers();
    series.forEach(
        (key, buffer) -> {
          if (!buffer.isEmpty(tier)) {
            Integer number = numbers.get(key);
            if (number == null) {
              number = given + fresh.size();
              fresh.put(key, number);
              name(names, key);
            }
            one.clear();
            encode(one, key, buffer.frame(tier));
            frame.number(number);
            frame.number(one.size());
            frame.append(one);
          }
        });
    if (frame.size() > 0) {
      write(start, names, frame);
      numbers.putAll(fresh);
      given += fresh.size();
    }
  }

  private void encode(PointCodec into, SeriesKey key, int[] values) {
    int columns = key.kind().metrics().size() * tier.columns();
    for (int column = 0; column < columns; column++) {
      into.write(values, column * tier.points(), tier.points());
    }
  }

  private static void name(PointCodec names, SeriesKey key) {
    byte[] name = key.name().getBytes(StandardCharsets.UTF_8);
    names.number(key.kind().ordinal());
    names.number(name.length);
    names.append(name, name.length);
  }

  private void write(long start, PointCodec names, PointCodec frame) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(MAGIC.length + 2 * HEAD + START_BYTES + names.size() + frame.size());
    List<Place> added = new ArrayList<>(places);
    if (end == 0) {
      bytes.put(MAGIC);
    }
    if (names.size() > 0) {
      added.add(new Place(NAMES, 0, end + bytes.position() + HEAD, names.size()));
      record(bytes, NAMES, names.bytes(), names.size());
    }
    byte[] content = new byte[START_BYTES + frame.size()];
    ByteBuffer.wrap(content).putLong(start).put(frame.bytes(), 0, frame.size());
    added.add(new Place(FRAME, start, end + bytes.position() + HEAD, content.length));
    record(bytes, FRAME, content, content.length);
    bytes.flip();
    int length = bytes.remaining();
    FileChannel to = channel();
    while (bytes.hasRemaining()) {
      to.write(bytes, end + bytes.position());
    }
    end += length;
    places = List.copyOf(added);
  }

  private static void record(ByteBuffer bytes, byte what, byte[] content, int length) {
    bytes.put(what).putInt(length).putInt(sum(content, length)).put(content, 0, length);
  }

  private FileChannel channel() throws IOException {
    if (channel == null) {
      channel =
          FileChannel.open(
              path,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return channel;
  }

  /** Numbers that an earlier server has given. */
  private void loadNumbers() throws IOException {
    if (channel == null && numbers.isEmpty() && end > 0) {
      try (FileChannel from = FileChannel.open(path, StandardOpenOption.READ)) {
        given = names(from, numbers);
      }
    }
  }

  /** Adds the numbers of series; returns how many numbers are given. */
  private int names(FileChannel from, Map<SeriesKey, Integer> names) throws IOException {
    SeriesKind[] kinds = SeriesKind.values();
    PointCodec codec = new PointCodec();
    int count = 0;
    for (Place place : places) {
      if (place.what() == NAMES) {
        byte[] content = content(from, place);
        if (content == null) {
          throw new IOException(path + " is damaged at " + place.offset());
        }
        codec.wrap(content, 0);
        while (codec.at() < content.length) {
          int kind = (int) codec.number();
          int length = (int) codec.number();
          String name = new String(content, codec.at(), length, StandardCharsets.UTF_8);
          codec.wrap(content, codec.at() + length);
          if (kind < kinds.length) { // a later build may have more
            names.put(new SeriesKey(kinds[kind], name), count);
          }
          count++;
        }
      }
    }
    return count;
  }

  /** Receives a series of a frame. */
  interface Reader {

    /**
     * @param start of the frame in seconds since 1970
     * @param values the columns one after the other; reused for the next
     */
    void frame(SeriesKey key, long start, int[] values);
  }

  /** Returns the series that it has. */
  Set<SeriesKey> keys() throws IOException {
    Map<SeriesKey, Integer> names = new HashMap<>();
    try (FileChannel from = FileChannel.open(path, StandardOpenOption.READ)) {
      names(from, names);
    }
    return names.keySet();
  }

  /**
   * Reads series in a time.
   *
   * @param wanted the series
   * @param from first second
   * @param to second after the last
   * @throws IOException if the file is gone, or its names are damaged; a damaged frame is left out
   */
  void read(Collection<SeriesKey> wanted, long from, long to, Reader reader) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      Map<Integer, SeriesKey> keys = new HashMap<>();
      Map<SeriesKey, Integer> names = new HashMap<>();
      names(channel, names);
      wanted.stream().filter(names::containsKey).forEach(key -> keys.put(names.get(key), key));
      if (keys.isEmpty()) {
        return;
      }
      for (Place place : places) {
        if (place.what() == FRAME
            && place.start() < to
            && place.start() + tier.frameSeconds() > from) {
          byte[] content = content(channel, place);
          if (content == null) {
            LOG.warn("{} is damaged at {}: those points are missing", path, place.offset());
          } else {
            decode(content, keys, place.start(), reader);
          }
        }
      }
    }
  }

  private void decode(byte[] content, Map<Integer, SeriesKey> keys, long start, Reader reader) {
    PointCodec codec = new PointCodec();
    codec.wrap(content, START_BYTES);
    while (codec.at() < content.length) {
      SeriesKey key = keys.get((int) codec.number());
      int length = (int) codec.number();
      int next = codec.at() + length;
      if (key != null) {
        int columns = key.kind().metrics().size() * tier.columns();
        int[] values = new int[columns * tier.points()];
        Arrays.fill(values, HistoryMetric.ABSENT);
        for (int column = 0; column < columns && codec.at() < next; column++) {
          codec.read(values, column * tier.points(), tier.points());
        }
        reader.frame(key, start, values);
      }
      codec.wrap(content, next);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }
}
