from remanence.interfaces.cli import main

main()
