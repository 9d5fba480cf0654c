import { Button } from '../../../components/button.tsx'
import { CodeBlock } from '../../../components/code.tsx'
import { DialogActions } from '../../../components/dialog.tsx'

interface DeclareInCodeProps {
  readonly secretDefaults: readonly string[]
  readonly onClose: () => void
}

/**
 * Explains why keys of this schema can only be added in the code: the page does not receive its secret defaults, and
 * saving would lose them.
 */
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
