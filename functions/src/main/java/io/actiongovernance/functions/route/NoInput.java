package io.actiongovernance.functions.route;

/** The input of a route that takes none besides its path. */
public record NoInput() {}
