/**
 * The whole service on one machine: the commands that start and stop it, and create tenants in it.
 */
@NullMarked
package io.actiongovernance.localstack;

import org.jspecify.annotations.NullMarked;
