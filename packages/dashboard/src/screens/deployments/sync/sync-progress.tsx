import { FormProblem } from '../../../components/states.tsx'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { describeSync, toParts } from './describe-sync.ts'
import { SyncLine } from './sync-line.tsx'
import type { SyncControl } from './use-sync.ts'

interface SyncProgressProps {
  readonly control: SyncControl
  readonly onClose: () => void
}

export function SyncProgress({ control: { sync, problem }, onClose }: SyncProgressProps) {
  const host = useProviderName('codehost')
  if (problem !== null) return <FormProblem problem={problem} />
  if (sync === undefined) return null
  return (
    <SyncLine
      state={sync.state}
      sentence={describeSync(sync, host)}
      parts={toParts(sync)}
      onClose={onClose}
    />
  )
}
