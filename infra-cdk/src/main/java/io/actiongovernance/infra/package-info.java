/** The CDK app: what runs where, with which rights. */
@NullMarked
package io.actiongovernance.infra;

import org.jspecify.annotations.NullMarked;
