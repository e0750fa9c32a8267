package io.actiongovernance.access;

/** The part of its tenant's buckets that one caller may use (contract, section 1, Rate limits). */
public enum Share {
  /** Each bucket as a whole. */
  WHOLE,
  /**
   * The whole rate of each bucket, but half of its reserve. A burst leaves the other half to
   * others.
   */
  HALF_RESERVE,
  /** Half of the rate and of the reserve of each bucket. */
  HALF
}
