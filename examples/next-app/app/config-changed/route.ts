import { createRevalidateHandler } from '@signalbox/next/revalidate'

/** Called by `instrumentation.ts`, or by a pipeline, after a change of the configuration. */
export const POST = createRevalidateHandler({ secret: process.env['CONFIG_WEBHOOK_SECRET'] ?? '' })
