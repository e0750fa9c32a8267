/**
 * An emulator of AWS that provisions stacks from their templates alone, at one address: what is not
 * in a template is not there, and what a template says that it does not know fails the stack.
 */
@NullMarked
package io.actiongovernance.localstack.emulator;

import org.jspecify.annotations.NullMarked;
