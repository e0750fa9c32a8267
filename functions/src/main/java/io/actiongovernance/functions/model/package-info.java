/**
 * Models that propose: what they are asked, and what is made of their answers (contract, section
 * 4).
 */
@NullMarked
package io.actiongovernance.functions.model;

import org.jspecify.annotations.NullMarked;
