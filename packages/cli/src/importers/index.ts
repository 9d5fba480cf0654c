/** Holds what the dashboard reads exports with. Nothing here needs Node, so that a browser can run it. */
export { importers } from './registry.ts'
export { ExportError, type ReadExport } from './importer.ts'
export { recognizeSource } from './recognize-source.ts'
export { joinPlans } from './render-plan.ts'
export { toBatches } from './to-batches.ts'
export { adoptStoredKeys } from './variables/adopt-stored-keys.ts'
export { createToIssue } from './variables/variable.ts'
