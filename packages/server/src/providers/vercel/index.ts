import type { Destination } from '../provider.ts'
import { vercelTarget } from './target.ts'

/** Describes Vercel: values are written there, and nothing is connected. */
export const vercel: Destination = {
  name: 'vercel',
  displayName: 'Vercel',
  addresses: [
    {
      name: 'web',
      setting: 'WEB_URL',
      default: 'https://vercel.com',
      meaning: 'URL of Vercel in a browser.',
    },
    {
      name: 'api',
      setting: 'API_URL',
      default: 'https://api.vercel.com',
      meaning: 'URL of the Vercel API.',
    },
  ],
  target: vercelTarget,
}
