import { join } from 'node:path'

/** Holds the main file of the service: of few pieces where a global setup has put it together, else its source. */
export const serviceProgram =
  process.env['SIGNALBOX_TEST_SERVICE'] ?? join(import.meta.dirname, '../../main.ts')
