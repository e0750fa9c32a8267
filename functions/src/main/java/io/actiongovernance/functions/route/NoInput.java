package io.actiongovernance.functions.route;

/** The input of a route that takes nothing but what its path says literally. */
public record NoInput() {}
