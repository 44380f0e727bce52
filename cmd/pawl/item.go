package main

// itemCmds are the acts on items, for people who live in a terminal.
type itemCmds struct {
	Submit    itemSubmitCmd    `cmd:"" help:"Ask a gate, and keep the answer: an item."`
	List      itemListCmd      `cmd:"" help:"List items, the newest first."`
	Show      itemShowCmd      `cmd:"" help:"Show an item: what, why, how it stands, what happened."`
	Next      itemNextCmd      `cmd:"" help:"Claim the most urgent item that is free, and show it."`
	Claim     itemClaimCmd     `cmd:"" help:"Claim an item: nobody else can decide it until the lease ends."`
	Renew     itemRenewCmd     `cmd:"" help:"Prolong your lease."`
	Release   itemReleaseCmd   `cmd:"" help:"Give a claimed item back."`
	Approve   itemApproveCmd   `cmd:"" help:"Approve the action as it stands."`
	Reject    itemRejectCmd    `cmd:"" help:"Reject the action."`
	Edit      itemEditCmd      `cmd:"" help:"Change the action, and approve it so."`
	Hold      itemHoldCmd      `cmd:"" help:"Put an item aside for a while."`
	Skip      itemSkipCmd      `cmd:"" help:"Pass an item on: you won't be offered it again."`
	Escalate  itemEscalateCmd  `cmd:"" help:"Send an item to another queue."`
	Assign    itemAssignCmd    `cmd:"" help:"Give an item to one person, or take it from one."`
	Comment   itemCommentCmd   `cmd:"" help:"Add a note to an item."`
	Withdraw  itemWithdrawCmd  `cmd:"" help:"Take back what you submitted."`
	Supersede itemSupersedeCmd `cmd:"" help:"Put another item in this one's place."`
	Overturn  itemOverturnCmd  `cmd:"" help:"Have an ended item decided anew, as another one."`
	Reopen    itemReopenCmd    `cmd:"" help:"Let an expired item wait again."`
	Label     itemLabelCmd     `cmd:"" help:"Record what turned out to be right about an item."`
	Erase     itemEraseCmd     `cmd:"" help:"Forget the bodies of an ended item for good."`
	LegalHold itemLegalHoldCmd `cmd:"" help:"Forbid erasing an item, or allow it again."`
}
