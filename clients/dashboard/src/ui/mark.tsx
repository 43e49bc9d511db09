// The mark: a post horn.

export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      className="mk-mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M2 7.5v3M2 9h8a5.5 5.5 0 1 1-.01 0M10 9h5" />
      <path d="M14 9c3.6 0 6.4-1.6 8-5v10c-1.6-3.4-4.4-5-8-5Z" fill="currentColor" />
    </svg>
  );
}
