import type { ErrorComponentProps } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/states.tsx'

/** Renders a screen that failed: because of a bug, or because part of it could not be loaded after the server was updated. */
export function RenderError({ error }: ErrorComponentProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={CircleAlert}
        isScreen
        title="This screen can’t be shown"
        action={<Button onClick={() => location.reload()}>Reload the page</Button>}
      >
        <p>If the server was updated while this page was open, reloading helps.</p>
        <p className="mt-2 text-sm break-words">
          {error instanceof Error ? error.message : String(error)}
        </p>
      </EmptyState>
    </div>
  )
}
