import { describeStandIn } from '../../../../../sandbox/src/models/stand-in.ts'
import { createVercel } from './vercel.ts'

/** Stands in for Vercel, which values are written to and which takes no part in the story. */
export const vercel = describeStandIn({
  create: createVercel,
  addresses: { vercelApi: '/vercel/api' },
})
