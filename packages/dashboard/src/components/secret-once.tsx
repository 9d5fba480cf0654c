import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './code.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface SecretOnceProps {
  readonly title: string
  /** Explains what the secret opens and where it may be kept. */
  readonly help: string
  readonly secret: string
}

/** Shows a key or a link that the server shows only once. */
export function SecretOnce({ title, help, secret }: SecretOnceProps) {
  return (
    <section aria-label={title} className="rounded-md border border-line p-3">
      <p className="font-semibold">{title}</p>
      <p className="mb-2 text-sm text-muted">{help}</p>
      <div className="flex items-center gap-2 rounded bg-raised py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm break-all select-all">{secret}</code>
        <CopyButton text={secret} label={`Copy: ${title}`} />
      </div>
    </section>
  )
}

interface SecretDialogProps extends SecretOnceProps {
  /** Names what was created. */
  readonly heading: string
  /** The text of the button that closes it. */
  readonly done?: string
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** Shows what was created with its secret, and closes only by its button. */
export function SecretDialog({
  heading,
  done = 'I have copied it',
  onClose,
  children,
  ...secret
}: SecretDialogProps) {
  return (
    <Dialog title={heading} isShownOnce onClose={onClose}>
      <SecretOnce {...secret} />
      {children}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
