/** The single-flight lock of an entity, also while many act at once. */
@NullMarked
package io.actiongovernance.localstack.acceptance.entity;

import org.jspecify.annotations.NullMarked;
