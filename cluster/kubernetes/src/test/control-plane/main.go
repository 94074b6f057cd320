// The control plane of Kubernetes as one program: the server of its API, the controller manager and the scheduler; and
// kubectl, which talks to it.
//
//	control-plane apiserver|controller-manager|scheduler|kubectl OPTION...
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubectl "k8s.io/kubectl/pkg/cmd"
)

var parts = map[string]func() *cobra.Command{
	"apiserver":          apiserver.NewAPIServerCommand,
	"controller-manager": controllers.NewControllerManagerCommand,
	"scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubectl":            kubectl.NewDefaultKubectlCommand,
}

func main() {
	if len(os.Args) > 1 {
		if part, known := parts[os.Args[1]]; known {
			os.Args = os.Args[1:]
			os.Exit(cli.Run(part()))
		}
	}
	fmt.Fprintln(os.Stderr, "usage: control-plane apiserver|controller-manager|scheduler|kubectl OPTION...")
	os.Exit(2)
}
