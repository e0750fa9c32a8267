/** How tools of connectors are called, and their source systems are tested and authorised. */
@NullMarked
package io.actiongovernance.functions.upstream;

import org.jspecify.annotations.NullMarked;
