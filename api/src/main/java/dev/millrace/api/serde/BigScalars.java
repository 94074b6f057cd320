package dev.millrace.api.serde;

import java.math.BigDecimal;
import java.math.BigInteger;

/// Numbers of any size.
final class BigScalars {
  static final Scalar<BigInteger> BIG_INTEGER = new BigIntegerScalar();
  static final Scalar<BigDecimal> BIG_DECIMAL = new BigDecimalScalar();

  private BigScalars() {}

  private static BigInteger readTwosComplement(BytesReader in, int length) {
    if (length == 0) {
      throw new SerdeException("expected at least one byte of a number, found none");
    }
    byte[] bytes = in.readBytes(length);
    BigInteger value = new BigInteger(bytes);
    if (value.bitLength() / 8 + 1 != length) {
      throw new SerdeException("a number of " + length + " bytes is padded");
    }
    return value;
  }

  /// Raw: the number of bytes, negated for a negative number, in 4 bytes with the sign bit flipped;
  /// then two's complement in so many bytes. More bytes are further from zero, on either side.
  private static final class BigIntegerScalar extends Scalar<BigInteger> {
    BigIntegerScalar() {
      super(TypeCode.BIG_INTEGER, 0);
    }

    @Override
    void writeRaw(BigInteger value, BytesWriter out) {
      byte[] bytes = value.toByteArray();
      int length = value.signum() < 0 ? -bytes.length : bytes.length;
      out.writeInt(length ^ Integer.MIN_VALUE);
      out.write(bytes);
    }

    @Override
    BigInteger readRaw(BytesReader in) {
      int length = in.readInt() ^ Integer.MIN_VALUE;
      BigInteger value = readTwosComplement(in, Math.abs(Math.max(length, -Integer.MAX_VALUE)));
      if (value.signum() < 0 != length < 0) {
        throw new SerdeException("the sign of a number contradicts the one of its length");
      }
      return value;
    }

    @Override
    void writeBody(BigInteger value, BytesWriter out) {
      byte[] bytes = value.toByteArray();
      out.writeVarInt(bytes.length);
      out.write(bytes);
    }

    @Override
    BigInteger readBody(BytesReader in) {
      return readTwosComplement(in, in.readLength());
    }
  }

  /// Raw: 0, 1 or 2 for negative, zero or positive. For zero then the scale, 4 bytes. Otherwise the
  /// power of ten of the first digit plus one, 8 bytes with the sign bit flipped, and the digits of
  /// the unscaled value, each plus one in four bits, ended by four or eight bits of zero; after the
  /// first byte, everything of a negative number is flipped. So 1.0 and 1.00 differ and stand next
  /// to each other.
  ///
  /// As a body: the scale, then the unscaled value in two's complement.
  private static final class BigDecimalScalar extends Scalar<BigDecimal> {
    private static final int NEGATIVE = 0;
    private static final int ZERO = 1;
    private static final int POSITIVE = 2;

    BigDecimalScalar() {
      super(TypeCode.BIG_DECIMAL, 0);
    }

    @Override
    void writeRaw(BigDecimal value, BytesWriter out) {
      out.writeByte(value.signum() + 1);
      if (value.signum() == 0) {
        out.writeInt(value.scale() ^ Integer.MIN_VALUE);
        return;
      }
      String digits = value.unscaledValue().abs().toString();
      int flip = value.signum() < 0 ? 0xFF : 0;
      long power = (long) digits.length() - value.scale() ^ Long.MIN_VALUE;
      out.writeLong(flip == 0 ? power : ~power);
      for (int i = 0; i <= digits.length(); i += 2) {
        out.writeByte((coded(digits, i) << 4 | coded(digits, i + 1)) ^ flip);
      }
    }

    private static int coded(String digits, int index) {
      return index < digits.length() ? digits.charAt(index) - '0' + 1 : 0;
    }

    @Override
    BigDecimal readRaw(BytesReader in) {
      int kind = in.readUnsignedByte();
      if (kind == ZERO) {
        return new BigDecimal(BigInteger.ZERO, in.readInt() ^ Integer.MIN_VALUE);
      }
      if (kind != NEGATIVE && kind != POSITIVE) {
        throw new SerdeException("expected 0, 1 or 2 for the sign of a decimal, found " + kind);
      }
      int flip = kind == NEGATIVE ? 0xFF : 0;
      long power = in.readLong();
      power = (flip == 0 ? power : ~power) ^ Long.MIN_VALUE;
      String digits = readDigits(in, flip);
      long scale = digits.length() - power;
      if (scale != (int) scale) {
        throw new SerdeException("the scale " + scale + " of a decimal is out of range");
      }
      BigInteger unscaled = new BigInteger(digits);
      return new BigDecimal(kind == NEGATIVE ? unscaled.negate() : unscaled, (int) scale);
    }

    private static String readDigits(BytesReader in, int flip) {
      StringBuilder digits = new StringBuilder();
      while (true) {
        int pair = in.readUnsignedByte() ^ flip;
        int high = pair >> 4;
        int low = pair & 0xF;
        if (high > 10 || low > 10 || high == 0 && low != 0) {
          throw new SerdeException("malformed digits of a decimal");
        }
        if (high != 0) {
          digits.append((char) ('0' + high - 1));
        }
        if (low != 0) {
          digits.append((char) ('0' + low - 1));
        } else if (digits.isEmpty() || digits.charAt(0) == '0') {
          throw new SerdeException("a decimal needs digits and begins with none that is 0");
        } else {
          return digits.toString();
        }
      }
    }

    @Override
    void writeBody(BigDecimal value, BytesWriter out) {
      int mark = out.beginLength();
      NumberScalars.writeZigZag(value.scale(), out);
      out.write(value.unscaledValue().toByteArray());
      out.endLength(mark);
    }

    @Override
    BigDecimal readBody(BytesReader in) {
      int outer = in.enter(in.readLength());
      long scale = NumberScalars.readZigZag(in, Integer.MIN_VALUE, Integer.MAX_VALUE, TypeCode.INT);
      BigInteger unscaled = readTwosComplement(in, in.remaining());
      in.leave(outer);
      return new BigDecimal(unscaled, (int) scale);
    }
  }
}
