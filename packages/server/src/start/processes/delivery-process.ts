import { holdYoungGeneration } from '../../delivery/fast/hold-young-generation.ts'
import { keepTickShape } from '../../delivery/fast/keep-tick-shape.ts'

// Its parent has the signals: those that a terminal or a supervisor sends to all processes are ignored here.
process.on('SIGTERM', () => {})
process.on('SIGINT', () => {})

// Before anything is loaded: the young generation keeps what it has grown to, and V8 the shapes that are in use.
keepTickShape()
const releaseYoungGeneration = holdYoungGeneration()
const { runDeliveryProcess } = await import('./run-delivery-process.ts')
runDeliveryProcess(releaseYoungGeneration)
