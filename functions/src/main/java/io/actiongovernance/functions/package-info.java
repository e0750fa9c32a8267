/** The composition root and the settings it reads. */
@NullMarked
package io.actiongovernance.functions;

import org.jspecify.annotations.NullMarked;
