import { createRevalidateHandler } from '@signalbox/next/revalidate'

/** Told by `instrumentation.ts`, or by a pipeline, when the configuration changed. */
export const POST = createRevalidateHandler({ secret: process.env['CONFIG_WEBHOOK_SECRET'] ?? '' })
