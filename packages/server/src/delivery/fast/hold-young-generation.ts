import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the young generation of V8 from growing until the answered function is called. What is loaded at a start survives,
 * so V8 makes room for as much in the future, 2 × 32 MB, and never gives it back. Held, it grows later to what the load
 * asks for. Without the call the service does the same in 25 MB more (docs/decisions/0051). The flag is one of the few of
 * the heap that V8 reads whenever it uses it, and not at the start of the process.
 */
export function holdYoungGeneration(): () => void {
  setFlagsFromString('--semi-space-growth-factor=1')
  return () => setFlagsFromString('--semi-space-growth-factor=2')
}
