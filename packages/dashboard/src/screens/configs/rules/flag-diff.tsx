import { describeFlag, type FlagState } from '@signalbox/contract'
import { DiffLines } from './diff-lines.tsx'
import { diffRules } from './diff-rules.ts'

/** Renders the state of a flag before and after a change in words, and its rules line by line. */
export function FlagDiff({ before, after }: Readonly<{ before: FlagState; after: FlagState }>) {
  const lines = diffRules(before.rules ?? [], after.rules ?? [])
  const [was, is] = [describeFlag(before), describeFlag(after)]
  return (
    <div className="flex flex-col gap-1 text-[0.93rem]">
      <p className="wrap-anywhere">
        {was !== is && (
          <>
            <span className="text-bad">{was}</span>
            <span className="text-muted"> → </span>
          </>
        )}
        <span className={was === is ? '' : 'text-ok'}>{is}</span>
        {was === is && <span className="text-muted"> as before; other rules</span>}
      </p>
      {lines.length > 0 && <DiffLines label="Rules" lines={lines} />}
    </div>
  )
}
