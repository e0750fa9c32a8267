/** The whole service on one machine: what starts it, stops it, and makes tenants in it. */
@NullMarked
package io.actiongovernance.localstack;

import org.jspecify.annotations.NullMarked;
