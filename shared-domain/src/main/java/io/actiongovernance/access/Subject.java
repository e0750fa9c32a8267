package io.actiongovernance.access;

/**
 * Identity at an issuer, whether or not a person with it exists here; compared exactly, letter by
 * letter (contract for people, sections 1 and 7).
 *
 * @param issuer the name in its tokens
 * @param subject {@code sub} of its tokens
 */
public record Subject(String issuer, String subject) {}
