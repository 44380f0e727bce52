// Package app holds the use cases of Pawl: submit, review, redeem, set a gate,
// erase, prove. Each runs in one transaction of the store and leaves its entry
// in the ledger in the same one. It is the only place where a transaction
// begins. The rules are those of packages review, ledger and policy.
package app
