import { holdYoungGeneration } from '../../delivery/fast/hold-young-generation.ts'

// Its parent has the signals: those that a terminal or a supervisor sends to all processes are ignored here.
process.on('SIGTERM', () => {})
process.on('SIGINT', () => {})

// Before anything is loaded: what the young generation has grown to by then stays.
const releaseYoungGeneration = holdYoungGeneration()
const { runDeliveryProcess } = await import('./run-delivery-process.ts')
runDeliveryProcess(releaseYoungGeneration)
