"""What each name of rule files means: where things are declared and used"""
