import { Button } from '../../../components/button.tsx'
import { CodeBlock } from '../../../components/code.tsx'
import { DialogActions } from '../../../components/dialog.tsx'

interface DeclareInCodeProps {
  readonly secretDefaults: readonly string[]
  readonly onClose: () => void
}

/** Shows why this schema takes its keys from the code alone: its secret defaults are not shown to a page, which would lose them. */
export function DeclareInCode({ secretDefaults, onClose }: DeclareInCodeProps) {
  return (
    <>
      <p className="break-words">
        This schema has secret defaults, of {secretDefaults.join(', ')}. They are shown to nobody
        here, so a definition that is saved here would lose them. Declare the key in your code and
        push it:
      </p>
      <CodeBlock code="npx signalbox diff && npx signalbox push" />
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </>
  )
}
