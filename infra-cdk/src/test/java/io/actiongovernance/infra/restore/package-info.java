@NullMarked
package io.actiongovernance.infra.restore;

import org.jspecify.annotations.NullMarked;
