import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Shows the recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Dialog
      title="The second factor is on"
      description="Ten recovery codes for when you lose your authenticator. Each works once. They are shown only once: save them in another place."
      isShownOnce
      onClose={onClose}
    >
      <CodeBlock code={codes.join('\n')} />
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have saved them
        </Button>
      </DialogActions>
    </Dialog>
  )
}
