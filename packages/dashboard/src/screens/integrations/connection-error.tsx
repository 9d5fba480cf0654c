import { Age } from '../../components/time.tsx'
import type { Integration } from './integration.ts'

/** Shows the last error and what to do about it, or just the next step. */
export function ConnectionError({ integration }: { readonly integration: Integration }) {
  const { health, nextStep, state } = integration
  const { lastError } = health
  if (lastError !== null) {
    return (
      <div role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
        <p>
          {lastError.detail} (<Age at={lastError.at} />)
        </p>
        <p className="font-medium">{lastError.nextStep}</p>
      </div>
    )
  }
  // The button that connects it, or sets it up, says the same already.
  if (nextStep === null || state === 'not_connected') return null
  return <p className="rounded-md bg-raised px-3 py-2">{nextStep}</p>
}
