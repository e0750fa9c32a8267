package io.actiongovernance.access;

/**
 * Who somebody is to an issuer, whether or not there is a person here who is: compared as it
 * stands, letter by letter (contract for people, sections 1 and 7).
 *
 * @param issuer as its tokens name it
 * @param subject {@code sub} of its tokens
 */
public record Subject(String issuer, String subject) {}
