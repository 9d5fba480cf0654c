export {
  startSandbox,
  type Sandbox,
  type SandboxAddresses,
  type SandboxOptions,
} from './sandbox.ts'
