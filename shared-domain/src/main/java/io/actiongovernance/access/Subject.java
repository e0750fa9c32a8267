package io.actiongovernance.access;

/**
 * Identity of a person at an issuer, whether or not the person exists here; compared exactly,
 * letter by letter (contract for people, sections 1 and 7).
 *
 * @param issuer the issuer's name in its tokens
 * @param subject {@code sub} in its tokens
 */
public record Subject(String issuer, String subject) {}
