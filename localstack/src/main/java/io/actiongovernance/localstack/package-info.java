/**
 * The whole service on one machine, and the commands that start it, stop it, and create tenants in
 * it.
 */
@NullMarked
package io.actiongovernance.localstack;

import org.jspecify.annotations.NullMarked;
