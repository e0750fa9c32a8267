@NullMarked
package io.actiongovernance.infra.rollback;

import org.jspecify.annotations.NullMarked;
