export {
  startSandbox,
  type Sandbox,
  type SandboxAddresses,
  type SandboxOptions,
} from './sandbox.ts'
export { visit } from './visit.ts'
