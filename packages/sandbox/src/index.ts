export type { Sandbox, SandboxAddresses } from './sandbox.ts'
export { startSandbox, type SandboxOptions } from './start-sandbox.ts'
export { visit } from './visit.ts'
