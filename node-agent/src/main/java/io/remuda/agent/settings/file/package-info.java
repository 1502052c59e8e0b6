/** Where each setting comes from: a system property, the settings file, or its default. */
package io.remuda.agent.settings.file;
