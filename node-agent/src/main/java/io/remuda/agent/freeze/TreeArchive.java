package io.remuda.agent.freeze;

import io.remuda.agent.output.RegularFile;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The file of a frozen tree, named by the hash of its content: equal trees have one file. Times are
 * not part of it. All methods block.
 */
public final class TreeArchive {

  /** End of the names of such files. */
  public static final String ENDING = ".tree.gz";

  /** Folder of such files, beside the access file of a server. */
  public static final String FOLDER = "trees";

  private static final int VERSION = 1;
  private static final int END = 0x7f;
  private static final int BUFFER = 1 << 16;

  private TreeArchive() {}

  /**
   * Writes the entries of a tree.
   *
   * @param root of the tree
   * @param entries in order, folders before what is in them
   * @return the hash of the content
   */
  public static String write(Path root, List<TreeEntry> entries, Path file) throws IOException {
    MessageDigest digest = sha256();
    try (OutputStream raw = Files.newOutputStream(file);
        GZIPOutputStream packed = new GZIPOutputStream(raw, BUFFER);
        DataOutputStream out =
            new DataOutputStream(
                new BufferedOutputStream(new DigestOutputStream(packed, digest), BUFFER))) {
      out.writeByte(VERSION);
      for (TreeEntry entry : entries) {
        out.writeByte(entry.kind().ordinal());
        out.writeUTF(entry.path());
        write(root.resolve(entry.path()), entry.kind(), out);
      }
      out.writeByte(END);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void write(Path source, TreeEntry.Kind kind, DataOutputStream out)
      throws IOException {
    if (kind == TreeEntry.Kind.LINK) {
      out.writeUTF(Files.readSymbolicLink(source).toString());
    } else if (kind == TreeEntry.Kind.FILE) {
      out.writeShort(mode(Files.getPosixFilePermissions(source)));
      byte[] bytes = Files.readAllBytes(source);
      out.writeLong(bytes.length);
      out.write(bytes);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static int mode(Set<PosixFilePermission> permissions) {
    int mode = 0;
    for (PosixFilePermission one : permissions) {
      mode |= 1 << one.ordinal();
    }
    return mode;
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (PosixFilePermission one : PosixFilePermission.values()) {
      if ((mode & 1 << one.ordinal()) != 0) {
        permissions.add(one);
      }
    }
    return permissions;
  }

  /**
   * Makes a copy of a tree in a folder that is missing or empty, and checks its hash.
   *
   * @param root the folder that was frozen, for links to what was not
   * @param wanted asked before each part of the file: once it is false nothing more is written
   * @throws IOException if the file is missing, damaged or another one, or is no longer wanted
   */
  public static void unpack(Path file, String hash, Path root, Path target, BooleanSupplier wanted)
      throws IOException {
    MessageDigest digest = sha256();
    try (RandomAccessFile opened = RegularFile.open(file);
        InputStream raw = new WantedInputStream(new FileInputStream(opened.getFD()), wanted);
        DataInputStream in =
            new DataInputStream(
                new DigestInputStream(
                    new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER), digest))) {
      if (in.readByte() != VERSION) {
        throw new IOException(file + " is not a frozen tree that this build can read");
      }
      Files.createDirectories(target);
      Path real = target.toRealPath();
      for (int kind = in.readByte(); kind != END; kind = in.readByte()) {
        if (kind < 0 || kind >= TreeEntry.Kind.values().length) {
          throw new IOException(file + " is damaged");
        }
        unpack(new TreeEntry(in.readUTF(), TreeEntry.Kind.values()[kind]), in, root, real);
      }
    } catch (EOFException | IllegalArgumentException damaged) {
      throw new IOException(file + " is damaged", damaged);
    }
    String found = HexFormat.of().formatHex(digest.digest());
    if (!found.equals(hash)) {
      throw new IOException(file + " has another content: " + found);
    }
  }

  private static void unpack(TreeEntry entry, DataInputStream in, Path root, Path target)
      throws IOException {
    Path path = target.resolve(entry.path());
    Path folder = path.getParent();
    Files.createDirectories(folder);
    if (!folder.toRealPath().startsWith(target)) {
      throw new IOException(entry.path() + " leads out of the tree");
    }
    switch (entry.kind()) {
      case FOLDER -> {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          Files.createDirectory(path);
        }
      }
      case LINK -> Files.createSymbolicLink(path, Path.of(in.readUTF()));
      case ORIGINAL -> Files.createSymbolicLink(path, root.resolve(entry.path()));
      default -> {
        int mode = in.readUnsignedShort();
        copy(in, in.readLong(), path);
        Files.setPosixFilePermissions(path, permissions(mode));
      }
    }
  }

  private static void copy(DataInputStream in, long length, Path path) throws IOException {
    try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW)) {
      byte[] part = new byte[BUFFER];
      for (long left = length; left > 0; ) {
        int read = in.read(part, 0, (int) Math.min(part.length, left));
        if (read < 0) {
          throw new EOFException();
        }
        out.write(part, 0, read);
        left -= read;
      }
    }
  }

  /** Ends with a fault once the copy is not wanted, also after a read that took long. */
  private static final class WantedInputStream extends FilterInputStream {
    private final BooleanSupplier wanted;

    private WantedInputStream(InputStream in, BooleanSupplier wanted) {
      super(in);
      this.wanted = wanted;
    }

    private int still(int read) throws IOException {
      if (!wanted.getAsBoolean()) {
        throw new InterruptedIOException("the copy is not wanted any more");
      }
      return read;
    }

    @Override
    public int read() throws IOException {
      return still(super.read());
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      return still(super.read(into, from, length));
    }
  }
}
