export type { Sandbox, SandboxAddresses } from './sandbox.ts'
export { startSandbox } from './start-sandbox.ts'
export { visit } from './visit.ts'
